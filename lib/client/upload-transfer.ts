import type { StartTransfer, Transfer } from './transfer';

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

/** Forgets the state of an upload that will not be resumed. */
export async function forgetTransfer(assetId: string): Promise<void> {
  const { forgetTusTransfer } = await load();
  await forgetTusTransfer(assetId);
}
