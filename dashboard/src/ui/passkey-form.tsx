/** A new approver with a passkey of this browser. */

import { useState } from 'preact/hooks'
import type { Problem } from '../api.ts'
import { problemOf } from '../load.ts'
import { hasPasskeys, passkeyApprovers, registerPasskey } from '../passkeys.ts'
import { ProblemBox } from './empty.tsx'

export function PasskeyForm() {
  const [name, setName] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const own = `${location.protocol}//localhost:${location.port}`
  const register = async () => {
    setProblem(undefined)
    try {
      await registerPasskey(name)
      setOpen(false)
      setName('')
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  if (!isOpen)
    return (
      <p>
        <button type="button" onClick={() => setOpen(true)}>
          Add an approver with a passkey
        </button>{' '}
        {passkeyApprovers.value.length > 0 && (
          <span class="soft">{passkeyApprovers.value.map((each) => each.name).join(', ')} can answer so</span>
        )}
      </p>
    )
  if (!hasPasskeys)
    return (
      <p>
        Browsers have passkeys for host names only. Run <code>crosshook ui --no-open</code>, and open its link
        with <code>{own}</code> in place of <code>{location.origin}</code>.
      </p>
    )
  return (
    <form
      class="answer"
      aria-label="A new approver"
      onSubmit={(event) => {
        event.preventDefault()
        void register()
      }}
    >
      <label>
        Name of the approver{' '}
        <input value={name} maxLength={64} required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main">
        Make a passkey
      </button>
      <button type="button" onClick={() => setOpen(false)}>
        Cancel
      </button>
      {problem && <ProblemBox problem={problem} />}
    </form>
  )
}
