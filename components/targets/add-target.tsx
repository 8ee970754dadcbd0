'use client';

import { ArrowLeft, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useAddStreamTarget, useCreateTarget, useTargets } from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { ReferenceForm } from './reference-form';
import { TargetForm, bodyOf } from './target-form';

/** Adds a target to a stream, and creates a new target on request. */
export function AddTarget({ stream }: { stream: Stream }) {
  const t = useTranslations('targets.addTarget');
  const [open, setOpen] = useState(false);
  const [creating, setCreating] = useState(false);
  // Queried here, so that the list is up to date before a created target is selected in it.
  const targets = useTargets();
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const change = (next: boolean) => {
    setOpen(next);
    setCreating(false);
    setSelectedId(null);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={creating ? t('createTarget') : t('addATarget')}
      {...(creating ? { description: t('keyIsStored') } : { description: t('whenItIsPushed') })}
      trigger={
        <Button size="sm">
          <Plus aria-hidden="true" />
          {t('addTarget')}
        </Button>
      }
    >
      {creating ? (
        <CreateHere
          onBack={() => setCreating(false)}
          onCreated={({ id }) => {
            setSelectedId(id);
            setCreating(false);
          }}
        />
      ) : (
        targets.data && (
          <Choose
            stream={stream}
            targets={targets.data.items}
            selectedId={selectedId}
            onCreate={() => setCreating(true)}
            onDone={() => change(false)}
          />
        )
      )}
    </Dialog>
  );
}

interface ChooseProps {
  stream: Stream;
  /** All targets of the team. */
  targets: readonly MultistreamTarget[];
  /** The target that was just created. */
  selectedId: string | null;
  onCreate: () => void;
  onDone: () => void;
}

function Choose({ stream, targets, selectedId, onCreate, onDone }: ChooseProps) {
  const t = useTranslations('targets.addTarget');
  const add = useAddStreamTarget(stream.id);
  // A service takes one publisher per key, so a second rendition to the same target would replace the first.
  const addedIds = new Set(stream.multistream.targets.map(({ id }) => id));
  const availableTargets = targets.filter(({ id }) => !addedIds.has(id));
  if (availableTargets.length === 0) {
    return (
      <div className="grid justify-items-start gap-4">
        <p className="text-ink-2">{targets.length === 0 ? t('noTargetsYet') : t('allAreAdded')}</p>
        <Button variant="primary" onClick={onCreate}>
          <Plus aria-hidden="true" />
          {t('createTarget')}
        </Button>
      </div>
    );
  }
  return (
    <ReferenceForm
      targets={availableTargets}
      selectedTargetId={selectedId ?? availableTargets[0]?.id ?? ''}
      renditions={['source', ...stream.profiles.map(({ name }) => name)]}
      call={add}
      onCreate={onCreate}
      onSubmit={(reference) => add.mutate(reference, { onSuccess: onDone })}
    />
  );
}

interface CreateHereProps {
  onBack: () => void;
  onCreated: (target: Pick<MultistreamTarget, 'id'>) => void;
}

function CreateHere({ onBack, onCreated }: CreateHereProps) {
  const t = useTranslations('targets.addTarget');
  const create = useCreateTarget();
  return (
    <TargetForm
      call={create}
      onSubmit={(target) => create.mutate(bodyOf(target), { onSuccess: onCreated })}
      secondary={
        <Button onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
          {t('back')}
        </Button>
      }
    />
  );
}
