'use client';

import { DescriptionForm } from '@/components/ui/form/description-form';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { TagsForm } from './tags-form';

/** Forms for the description and the tags of an asset. */
export function DescriptionAndTagsForms({ asset }: { asset: Asset }) {
  const update = useUpdateAsset(asset.id);
  return (
    <div className="grid gap-5">
      <DescriptionForm
        savedText={asset.description}
        mutation={update}
        onSave={(description, onSaved) => update.mutate({ description }, { onSuccess: onSaved })}
      />
      <TagsForm asset={asset} />
    </div>
  );
}
