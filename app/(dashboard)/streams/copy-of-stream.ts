import { toast } from 'sonner';
import { readStreamCurl } from '@/components/streams/encoder-commands';
import { copyText } from '@/components/ui/copy-text';
import type { Stream } from '@/lib/contract/stream';
import type { Addresses } from '../_data/addresses';

const said = { id: 'Stream ID', playback: 'Playback URL', curl: 'curl command' } as const;

/** Puts one thing about a stream on the clipboard and says so. */
export async function copyOfStream(
  what: keyof typeof said,
  stream: Stream,
  addresses: Addresses | undefined,
): Promise<void> {
  if (!addresses) return;
  const text = {
    id: stream.id,
    playback: addresses.playbackUrl(stream.playbackId),
    curl: readStreamCurl(addresses.base, stream.id),
  }[what];
  if (await copyText(text)) toast.success(`${said[what]} copied`);
  else toast.error('The browser did not allow copying');
}
