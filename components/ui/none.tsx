/** In the place of a value that an object does not have. */
export const none = <span className="text-ink-3">–</span>;
