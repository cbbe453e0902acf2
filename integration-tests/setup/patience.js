/**
 * When a test or hook counts as hanging. Beyond what any takes on a busy machine, and nothing is promised with it. What
 * installs packages or builds the admin may take longer: it says so itself, with `SLOW_START_MS`. (Jest has no such
 * setting for a project.)
 */
jest.setTimeout(600_000)
