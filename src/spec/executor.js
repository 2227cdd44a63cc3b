/** How a hook is run. An executor starts things and reports what came back; it never judges. */
export {};
