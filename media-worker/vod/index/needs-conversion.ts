/** A file that plays only after a full re-encode. The message completes "the file cannot be played as it is: …". */
export class NeedsConversion extends Error {
  override readonly name = 'NeedsConversion';
}
