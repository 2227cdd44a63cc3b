/** `npm run bench`: every figure is a ratio of things measured in this very run. */

import { actGuards } from './acts.ts'
import { asking } from './ask.ts'
import { cold } from './cold.ts'
import { confinement } from './confine.ts'
import { daemon } from './daemon.ts'
import { inProcess } from './in-process.ts'
import { table } from './measure.ts'
import { statistics } from './stats.ts'

console.log(
  table([
    ...(await inProcess()),
    ...(await cold()),
    ...(await confinement()),
    ...(await actGuards()),
    ...(await daemon()),
    ...(await statistics()),
    ...(await asking()),
  ]),
)
