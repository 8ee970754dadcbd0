import { toast } from 'sonner';
import { readCurl } from './code-block';
import { copyText } from './copy-button';
import type { Addresses } from '@/lib/client/queries/addresses';

type Kind = 'Stream' | 'Session' | 'Asset' | 'Task';

interface Copied {
  readonly id: string;
  /** Where it is played, where there is such an address. */
  readonly playbackUrl?: string | undefined;
}

/** Puts one thing about an object on the clipboard and says so. */
export async function copyOf(
  kind: Kind,
  what: 'id' | 'playback' | 'curl',
  { id, playbackUrl = '' }: Copied,
  addresses: Addresses | undefined,
): Promise<void> {
  if (!addresses) return;
  const { text, said } = {
    id: { text: id, said: `${kind} ID` },
    playback: { text: playbackUrl, said: 'Playback URL' },
    curl: { text: readCurl(`${addresses.base}/api/${kind.toLowerCase()}/${id}`), said: 'curl command' },
  }[what];
  if (await copyText(text)) toast.success(`${said} copied`);
  else toast.error('Your browser blocked copying');
}
