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

/** The client of the protocol is fetched with the first upload: most pages never need it. */
const load = () => import('./tus-transfer');

/** Sends by tus. */
export const startTransfer: StartTransfer = (file, assetId, endpoint, events) => {
  let transfer: Transfer | null = null;
  let stopped = false;
  load().then(
    ({ startTusTransfer }) => {
      if (!stopped) transfer = startTusTransfer(file, assetId, endpoint, events);
    },
    () => {
      if (!stopped) events.ended('interrupted', 'A part of this page could not be loaded.');
    },
  );
  return {
    stop(forget) {
      stopped = true;
      transfer?.stop(forget);
    },
  };
};

/** Forgets where an upload was: nobody will go on with it. */
export async function forgetTransfer(assetId: string): Promise<void> {
  const { forgetTusTransfer } = await load();
  await forgetTusTransfer(assetId);
}
