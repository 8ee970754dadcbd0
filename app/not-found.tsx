import { MessagePage } from '@/components/ui/message-page';
import { PlainLink } from '@/components/ui/plain-action';

export default function NotFound() {
  return (
    <MessagePage
      code="404"
      title="Page not found"
      action={<PlainLink href="/">Go to the home page</PlainLink>}
    >
      The link is wrong, or the page was removed.
    </MessagePage>
  );
}
