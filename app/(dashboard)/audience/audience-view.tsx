'use client';

import { useTranslations } from 'use-intl';
import { AudiencePanel } from '@/components/audience/audience-panel';
import { SiblingNav } from '@/components/shell/sibling-nav';
import { PageHeader } from '@/components/ui/page-header';

/** The whole team. A constant, so that its identity does not change. */
const teamScope = {};

export function AudienceView() {
  const t = useTranslations('audience.page');
  return (
    <>
      <PageHeader nav={<SiblingNav />} title={t('audience')} description={t('description')} />
      <AudiencePanel scope={teamScope} />
    </>
  );
}
