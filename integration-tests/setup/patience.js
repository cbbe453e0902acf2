/**
 * When a test counts as hanging. Far beyond what any takes: a busy machine is no failure, and nothing is promised
 * with it. (Jest has no such setting for a project.)
 */
jest.setTimeout(1_800_000)
