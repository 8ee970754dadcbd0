'use client';

import { Pencil } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import type { Asset } from '@/lib/contract/assets/asset';
import { TagList } from './tag-list';

const DescriptionAndTagsForms = dynamic(
  async () => (await import('./description-forms')).DescriptionAndTagsForms,
);

/** Description and tags of an asset, with forms for members who may change them. */
export function DescriptionPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.descriptionPanel');
  const mayEdit = useHasRole('developer');
  const [isEditing, setEditing] = useState(false);
  const { description, tags = [] } = asset;
  if (!mayEdit && description === undefined && tags.length === 0) return null;
  return (
    <Panel
      dense
      title={t('title')}
      action={
        mayEdit && (
          <Button size="sm" variant="ghost" className="-my-1 -mr-2" onClick={() => setEditing(!isEditing)}>
            {!isEditing && <Pencil aria-hidden="true" />}
            {isEditing ? t('done') : t('edit')}
          </Button>
        )
      }
    >
      {isEditing ? (
        <DescriptionAndTagsForms asset={asset} />
      ) : (
        <div className="grid gap-3">
          <p className="text-ink-2 max-w-prose wrap-anywhere whitespace-pre-line">
            {description ?? t('noDescription')}
          </p>
          {tags.length > 0 && <TagList tags={tags} />}
        </div>
      )}
    </Panel>
  );
}
