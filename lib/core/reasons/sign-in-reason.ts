import { findReasons } from './find-reasons';
import { signIn } from './messages/sign-in';

/** The code of a refused sign-in. Its response brings the browser only the sentence, and the others are not loaded there. */
export const reasonOfSignIn = findReasons(signIn);
