import { connect } from 'node:net'

/** Does a process listen at this socket? */
export function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
      .once('connect', () => {
        connection.destroy()
        resolve(true)
      })
      .once('error', () => resolve(false))
  })
}
