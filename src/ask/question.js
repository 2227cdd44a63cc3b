/** What a person is asked, and what they answered. Plain data, kept in the state folder and shown by every channel. */
export const SCOPES = ['once', 'session', 'project'];
export const SILENCE = 'silence';
