export interface TransferEvents {
  /** Bytes that are on their way or there. */
  sent: (bytes: number) => void;
  received: () => void;
  /** `expired`: the URL can't be used anymore. `refused`: the service rejects this file. */
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
