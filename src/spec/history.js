/** What an agent writes down of its own sessions, and how to read it: `history.ts` in its folder. */
export {};
