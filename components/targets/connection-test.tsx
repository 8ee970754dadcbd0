'use client';

import { CircleCheck, Plug } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { asSentence } from '@/components/ui/form/server-messages';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { errorMessagesOf } from '@/lib/client/call';
import { type TestedTarget, useTestTarget } from '@/lib/client/queries/target-queries';
import { useTranslateMessage } from '@/components/i18n/reasons';

interface ConnectionTestProps {
  /** Returns the target to test; null if a field is invalid, which then shows its error. */
  getTarget: () => Promise<TestedTarget | null>;
  /** Text that changes with the fields of the target. The result is shown only while it is the same as in the test. */
  fieldValues: string;
}

/** Tests the connection to a target's service, and shows its response. */
export function ConnectionTest({ getTarget, fieldValues }: ConnectionTestProps) {
  const t = useTranslations('targets.connectionTest');
  const test = useTestTarget();
  const [testedValues, setTestedValues] = useState<string | null>(null);
  const startTest = async () => {
    const target = await getTarget();
    if (!target) return;
    setTestedValues(fieldValues);
    test.mutate(target);
  };
  return (
    <div className="grid justify-items-start">
      <Button size="sm" pending={test.isPending} onClick={() => void startTest()}>
        <Plug aria-hidden="true" />
        {test.isPending ? t('testingConnection') : t('testConnection')}
      </Button>
      <div role="status" className="*:mt-3">
        {testedValues === fieldValues && <TestResult test={test} />}
      </div>
    </div>
  );
}

/** Result of a test as a notice; nothing before the first test. */
export function TestResult({ test: { data, error } }: { test: ReturnType<typeof useTestTarget> }) {
  const translateMessage = useTranslateMessage();
  if (error) return <Notice>{errorMessagesOf(error).map(asSentence).join(' ')}</Notice>;
  if (!data) return null;
  const resultText = translateMessage(data.message, data.reason);
  if (data.outcome !== 'accepted') return <Notice>{resultText}</Notice>;
  return (
    <p className="border-accent-line bg-accent-soft text-accent-ink flex gap-2 rounded-md border px-3 py-2 text-sm">
      <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere">{resultText}</span>
    </p>
  );
}
