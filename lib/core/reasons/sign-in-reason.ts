import { createReasonFinder } from './find-reasons';
import { signIn } from './messages/sign-in';

/** Finds the reason of a sign-in message, so that the sign-in page does not load the other messages. */
export const reasonOfSignIn = createReasonFinder(signIn);
