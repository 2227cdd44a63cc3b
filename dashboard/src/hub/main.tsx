import { render } from 'preact'
import { begin } from '../api.ts'
import { App } from './app.tsx'

void begin()
render(<App />, document.getElementById('page')!)
