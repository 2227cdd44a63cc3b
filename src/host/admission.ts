/** Limits how many events run at once and how many wait; further ones are refused. */

export interface Admission {
  readonly running: number
  readonly waiting: number
  readonly refused: number
  /** True: go on now, and call `leave` afterwards. A promise: wait for it first. False: no room. */
  enter(): boolean | Promise<boolean>
  leave(): void
  /** Enters again after a `leave`: while a person thinks, other events may run. */
  resume(): void
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>
}

export interface AdmissionLimits {
  concurrent: number
  waiting: number
}

export function createAdmission({ concurrent, waiting: most }: AdmissionLimits): Admission {
  let running = 0
  let refused = 0
  const queue: ((entered: boolean) => void)[] = []
  const watchers: (() => void)[] = []
  return {
    get running() {
      return running
    },
    get waiting() {
      return queue.length
    },
    get refused() {
      return refused
    },
    enter() {
      if (running < concurrent) {
        running++
        return true
      }
      if (queue.length < most) return new Promise((resolve) => queue.push(resolve))
      refused++
      return false
    },
    leave() {
      const next = queue.shift()
      if (next) return next(true)
      running--
      if (running === 0) for (const watcher of watchers.splice(0)) watcher()
    },
    resume() {
      running++
    },
    idle() {
      return running === 0 ? Promise.resolve() : new Promise((resolve) => watchers.push(resolve))
    },
  }
}
