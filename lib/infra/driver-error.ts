/** Message of an error of a driver. The error itself contains the connection with its password, so it is not logged. */
export function driverErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
