'use client';

import { Lock, Tag } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PolicyForm } from '@/components/access/policy-form';
import { keysLink } from '@/components/access/policy-panel';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { parseTags } from './tags-form';

/** Button that asks for a tag to add to the selected assets. */
export function AddTagButton({ onAdd }: { onAdd: (tag: string) => void }) {
  const t = useTranslations('assets.assetBulkActions');
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const add = () => {
    const tags = parseTags(text);
    const [tag] = tags;
    // The API allows 50 characters.
    if (tag === undefined || tags.length > 1 || tag.length > 50) {
      setError(t('oneTag'));
      return;
    }
    setOpen(false);
    onAdd(tag);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setText('');
        setError(undefined);
      }}
      title={t('addTag')}
      trigger={
        <Button size="sm">
          <Tag aria-hidden="true" />
          {t('addTag')}
        </Button>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Field label={t('tag')} hint={t('tagHint')} error={error}>
          {(field) => (
            <Input
              {...field}
              autoComplete="off"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button type="submit" variant="primary">
            {t('addTag')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Button that asks for the playback policy of the selected assets. */
export function ChangePolicyButton({ onChange }: { onChange: (policy: PlaybackPolicyInput | null) => void }) {
  const t = useTranslations('access.policy');
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={t('title')}
      description={t('ofAssets')}
      wide
      trigger={
        <Button size="sm">
          <Lock aria-hidden="true" />
          {t('title')}
        </Button>
      }
    >
      <PolicyForm
        policy={undefined}
        tokenHelp={t.rich('signingKeysOfAsset', { link: keysLink })}
        isForSeveral
        mutation={{ isPending: false, error: null }}
        onSubmit={(policy) => {
          setOpen(false);
          onChange(policy);
        }}
      />
    </Dialog>
  );
}
