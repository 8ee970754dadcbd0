import { formatHint } from './stream-doctor';

const formatTime = (time: Date): string => `${time.toISOString().slice(11, 19)} UTC`;

/**
 * The issue of a stream whose encoder is away, and which stays active because of the slate.
 * @param since when the slate went on air
 */
export const slateOnAirIssue = (since: Date): string =>
  `The encoder is away; the slate has been on air since ${formatTime(since)}.`;

/** The issue of a stream whose slate a person selected. It is only a hint, because a break is no fault. */
export const manualSlateIssue = (since: Date): string =>
  formatHint(`The slate has been on air since ${formatTime(since)}; it was chosen manually.`);
