def property_cases():
    return {}
