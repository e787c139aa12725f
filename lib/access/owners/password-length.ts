/** Minimum and maximum length of a password in code points (NIST SP 800-63B-4, 3.1.1.2), also for the pages. */
export const PASSWORD_LENGTH = { min: 15, max: 1024 };
