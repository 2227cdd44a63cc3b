/** The answers of hooks written for Continue's command line → outcomes. */
import { familyDecoder } from '../lib/family-replies.ts';
import { tools } from './tools.ts';
export const decode = familyDecoder(tools, ['SessionStart', 'UserPromptSubmit']);
