import { render } from 'preact'
import { begin } from './api.ts'
import { App } from './app.tsx'
import { followApprovals } from './approvals.ts'

void begin()
followApprovals()
render(<App />, document.getElementById('page')!)
