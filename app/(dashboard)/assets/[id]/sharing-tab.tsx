'use client';

import { AssetPolicyPanel } from '@/components/access/policy-panel';
import { SharePanel } from '@/components/streams/sharing/share-panel';
import { ReadOnlyUnlessPermitted } from '@/components/teams/use-team';
import type { Asset } from '@/lib/contract/assets/asset';

export function SharingTab({ asset, baseUrl }: { asset: Asset; baseUrl: string }) {
  return (
    <div className="grid gap-6">
      {asset.playbackUrl !== undefined && (
        <SharePanel
          baseUrl={baseUrl}
          playbackId={asset.playbackId}
          playbackUrl={asset.playbackUrl}
          title={asset.name}
          policy={asset.playbackPolicy}
        />
      )}
      <ReadOnlyUnlessPermitted>
        <AssetPolicyPanel asset={asset} />
      </ReadOnlyUnlessPermitted>
    </div>
  );
}
