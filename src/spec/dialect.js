/** A dialect is two codecs and a file format: an agent that calls us, a hook that was written for it. */
export {};
