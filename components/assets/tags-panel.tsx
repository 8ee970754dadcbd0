'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import { useMay } from '@/components/teams/use-team';
import { errorMessagesOf } from '@/lib/client/call';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';

/** Tags from comma-separated text, normalized like the service does. */
export const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim().toLowerCase())
      .filter((each) => each !== ''),
  ),
];

export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <span className="mt-0.5 flex flex-wrap gap-1">
      {tags.map((tag) => (
        <span key={tag} className="bg-hover text-ink-2 max-w-40 truncate rounded-sm px-1.5 text-sm">
          {tag}
        </span>
      ))}
    </span>
  );
}

/** Edits the tags of an asset as comma-separated text. */
export function TagsPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.tagsPanel');
  const may = useMay('developer');
  const savedText = (asset.tags ?? []).join(', ');
  const [draft, setDraft] = useState<string | null>(null);
  const update = useUpdateAsset(asset.id);
  const text = draft ?? savedText;
  const tags = tagsIn(text);
  const isUnchanged = tags.join(', ') === savedText;
  if (!may) {
    if (savedText === '') return null;
    return (
      <Panel title={t('title')}>
        <TagList tags={asset.tags ?? []} />
      </Panel>
    );
  }
  return (
    <Panel title={t('title')}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isUnchanged || update.isPending) return;
          update.mutate(
            { tags },
            {
              onSuccess: () => {
                setDraft(null);
                toast.success(t('saved'));
              },
            },
          );
        }}
      >
        <Field label={t('label')} hint={t('hint')}>
          {(field) => (
            <Input
              {...field}
              autoComplete="off"
              placeholder={t('placeholder')}
              value={text}
              onChange={({ target }) => setDraft(target.value)}
            />
          )}
        </Field>
        <FormError>{errorMessagesOf(update.error).join(' ')}</FormError>
        <div>
          <Button type="submit" disabled={isUnchanged} pending={update.isPending}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
