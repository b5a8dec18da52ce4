"""The conversation's page: messages as a list view that owns its geometry, drawn from text documents."""
