/** For telemetry and audit: what happens inside the runtime, as it happens. Observers never change a decision. */
export {};
