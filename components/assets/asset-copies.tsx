import { CopyField } from '@/components/ui/copy-field';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import type { Asset } from '@/lib/contract/asset';

/** Where else the file is: on IPFS, once it was exported there. */
export function AssetCopies({ asset }: { asset: Asset }) {
  const { ipfs, status } = asset.storage ?? {};
  if (!ipfs?.cid && !status?.errorMessage) return null;
  return (
    <Panel title="On IPFS">
      <div className="grid gap-4">
        {status?.errorMessage !== undefined && <Notice>{status.errorMessage}</Notice>}
        {ipfs?.cid !== undefined && <CopyField label="Content identifier (CID)" value={ipfs.cid} />}
        {ipfs?.gatewayUrl !== undefined && <CopyField label="Gateway URL" value={ipfs.gatewayUrl} />}
        {ipfs?.nftMetadata?.url !== undefined && <CopyField label="Metadata" value={ipfs.nftMetadata.url} />}
      </div>
    </Panel>
  );
}
