/** A way to reach a person and to hear the answer. Each is one file in channels/, and a row in channels/list.ts. */
export {};
