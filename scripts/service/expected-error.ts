/** An error whose message is shown to the operator without a stack. */
export class ExpectedError extends Error {
  readonly expected = true;
}
