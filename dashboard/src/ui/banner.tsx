import { connection } from '../api.ts'

/** Says that the host is gone, for as long as it is: what is shown is not what happens. */
export function Banner() {
  if (connection.value !== 'lost') return null
  return (
    <div class="banner" role="alert">
      <strong>The host does not answer.</strong> What you see is from before; agents are guarded by their own
      entries all the same. Start it with <code>crosshook ui --no-open</code>; this page goes on by itself.
    </div>
  )
}
