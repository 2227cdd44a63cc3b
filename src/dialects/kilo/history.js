/** Kilo's sessions. */
import { outputPluginHistory } from '../lib/output-plugin-history.ts';
import { ID } from './events.ts';
export const history = outputPluginHistory(ID);
