export interface TransferEvents {
  /** Bytes that are on their way or there. */
  sent: (bytes: number) => void;
  received: () => void;
  /** `expired`: the address is good for nothing any more. `refused`: the service does not want this file. */
  ended: (reason: 'interrupted' | 'expired' | 'refused', sentence: string) => void;
}

export interface Transfer {
  /** Stops; what was sent stays there. Takes the upload away from the server too when `forget`. */
  stop(forget: boolean): void;
}

/** Sends a file to an upload address, from where an earlier try of the same asset had come. */
export type StartTransfer = (
  file: File,
  assetId: string,
  endpoint: string,
  events: TransferEvents,
) => Transfer;
