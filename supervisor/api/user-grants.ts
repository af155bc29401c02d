/** What this user granted, for the commands that use it and grant nothing themselves. */
export { userGrantUse } from '../service/stores/user-grants.ts';
