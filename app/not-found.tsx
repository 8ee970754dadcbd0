import { MessagePage } from '@/components/ui/message-page';
import { PlainLink } from '@/components/ui/plain-action';
import { getTranslations } from './messages';

export default async function NotFound() {
  const t = await getTranslations('site.notFound');
  return (
    <MessagePage code="404" title={t('title')} action={<PlainLink href="/">{t('home')}</PlainLink>}>
      {t('text')}
    </MessagePage>
  );
}
