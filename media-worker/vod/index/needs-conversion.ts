/** A file that plays only after all of it was encoded once more. The message completes "the file cannot be played as it is: …". */
export class NeedsConversion extends Error {
  override readonly name = 'NeedsConversion';
}
