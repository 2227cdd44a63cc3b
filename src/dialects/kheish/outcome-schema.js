/** The outcome as JSON Schema, offered to models that answer as a hook. */
const STRING = { type: 'string' };
const STRINGS = { type: 'array', items: STRING };
export const outcomeJsonSchema = {
    type: 'object',
    properties: {
        contract_version: { type: 'number' },
        decision: { type: 'string', enum: ['approve', 'block'] },
        permission: { type: 'string', enum: ['allow', 'deny', 'ask'] },
        continue_execution: { type: 'boolean' },
        stop_reason: STRING,
        updated_input: {},
        updated_output: {},
        updated_permissions: {
            type: 'array',
            items: {
                type: 'object',
                properties: {
                    scope: { type: 'string', enum: ['user', 'project', 'session'] },
                    tool_name_pattern: STRING,
                    behavior: { type: 'string', enum: ['allow', 'deny', 'ask'] },
                    reason: STRING,
                },
                required: ['scope', 'tool_name_pattern', 'behavior'],
            },
        },
        additional_contexts: STRINGS,
        initial_user_message: STRING,
        watch_paths: STRINGS,
        retry: { type: 'boolean' },
    },
    required: [],
};
