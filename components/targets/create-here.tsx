'use client';

import { ArrowLeft } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useCreateTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { TargetForm, bodyOf } from './target-form';

interface CreateHereProps {
  /** Null: there is nothing to choose from. */
  onBack: (() => void) | null;
  onCreated: (target: Pick<MultistreamTarget, 'id'>) => void;
}

/** Creates a target in the dialog that adds it to a stream. */
export default function CreateHere({ onBack, onCreated }: CreateHereProps) {
  const t = useTranslations('targets.addTarget');
  const create = useCreateTarget();
  return (
    <TargetForm
      call={create}
      onSubmit={(target) => create.mutate(bodyOf(target), { onSuccess: onCreated })}
      secondary={
        onBack && (
          <Button onClick={onBack}>
            <ArrowLeft aria-hidden="true" />
            {t('back')}
          </Button>
        )
      }
    />
  );
}
