import Link from 'next/link';
import { getTranslations } from '@/app/messages';
import { Button } from '@/components/ui/button';
import { PageHeader } from '@/components/ui/page-header';

/** A missing page inside the frame of the dashboard, which has the logo and the navigation. */
export default async function DashboardNotFound() {
  const t = await getTranslations('site.notFound');
  return (
    <>
      <PageHeader title={t('title')} description={t('text')} />
      <Button asChild variant="primary">
        <Link href="/">{t('home')}</Link>
      </Button>
    </>
  );
}
