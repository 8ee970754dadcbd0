import { signInHandler } from '@/lib/http/sign-in';

/** Sign-in and sign-out in the browser: next-auth's own paths, not part of the API (reliability §5). */
export { signInHandler as GET, signInHandler as POST };
