import { toast } from 'sonner';
import { readAssetCurl } from '@/components/assets/asset-commands';
import type { AssetCopy } from '@/components/assets/asset-table';
import { copyText } from '@/components/ui/copy-text';
import type { Asset } from '@/lib/contract/asset';
import type { Addresses } from '../_data/addresses';

const said = { id: 'Asset ID', playback: 'Playback URL', curl: 'curl command' } as const;

/** Puts one thing about an asset on the clipboard and says so. */
export async function copyOfAsset(
  what: AssetCopy,
  asset: Asset,
  addresses: Addresses | undefined,
): Promise<void> {
  if (!addresses) return;
  const text = {
    id: asset.id,
    playback: asset.playbackUrl ?? '',
    curl: readAssetCurl(addresses.base, asset.id),
  }[what];
  if (await copyText(text)) toast.success(`${said[what]} copied`);
  else toast.error('The browser did not allow copying');
}
