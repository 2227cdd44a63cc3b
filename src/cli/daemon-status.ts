/** Is a warm engine or daemon running, and where. */

export interface DaemonStatus {
  running: boolean
  pid?: number
  socket?: string
  http?: string
  grpc?: string
  token_file?: string
}

export async function daemonStatus(): Promise<DaemonStatus> {
  return { running: false }
}
