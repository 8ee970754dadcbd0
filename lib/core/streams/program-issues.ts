import { hint } from './stream-doctor';

const timeOf = (time: Date): string => time.toISOString().slice(11, 19);

/** The encoder is away, and the stream stays active. @param since start of the slate */
export const slateOnAir = (since: Date): string =>
  `The encoder is away; the slate has been on air since ${timeOf(since)}.`;

/** A person selected the slate for a break, which is no fault. */
export const slateByHand = (since: Date): string =>
  hint(`The slate has been on air since ${timeOf(since)}; it was chosen manually.`);
